import { Shape, type Icon } from './shape.tsx';

export const AlertCircleIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="M12 8v4M12 16h.01" />
  </Shape>
);
