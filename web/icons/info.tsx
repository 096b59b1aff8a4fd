import { Shape, type Icon } from './shape.tsx';

export const InfoIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="M12 16v-4" />
    <path d="M12 8h.01" />
  </Shape>
);
