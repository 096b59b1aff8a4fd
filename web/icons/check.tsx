import { Shape, type Icon } from './shape.tsx';

export const CheckIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M20 6 9 17l-5-5" />
  </Shape>
);
