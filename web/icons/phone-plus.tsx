import { Shape, type Icon } from './shape.tsx';

export const PhonePlusIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M5 12h14M12 5v14" />
  </Shape>
);
