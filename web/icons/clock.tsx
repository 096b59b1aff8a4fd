import { Shape, type Icon } from './shape.tsx';

export const ClockIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M12 6v6l4 2" />
    <circle cx="12" cy="12" r="10" />
  </Shape>
);
