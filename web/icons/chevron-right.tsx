import { Shape, type Icon } from './shape.tsx';

export const ChevronRightIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m9 18 6-6-6-6" />
  </Shape>
);
