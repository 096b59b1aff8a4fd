import { Shape, type Icon } from './shape.tsx';

export const ChevronDownIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m6 9 6 6 6-6" />
  </Shape>
);
