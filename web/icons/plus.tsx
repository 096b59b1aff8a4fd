import { Shape, type Icon } from './shape.tsx';

export const PlusIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M5 12h14" />
    <path d="M12 5v14" />
  </Shape>
);
