import { Shape, type Icon } from './shape.tsx';

export const CloseIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M18 6 6 18" />
    <path d="m6 6 12 12" />
  </Shape>
);
