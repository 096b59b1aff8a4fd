import { Shape, type Icon } from './shape.tsx';

export const CheckCircleIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="m9 12 2 2 4-4" />
  </Shape>
);
