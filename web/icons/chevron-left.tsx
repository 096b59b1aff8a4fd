import { Shape, type Icon } from './shape.tsx';

export const ChevronLeftIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m15 18-6-6 6-6" />
  </Shape>
);
