import { Shape, type Icon } from './shape.tsx';

export const KeyIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="8" cy="15" r="4" />
    <path d="m11 12 9-9m-4 4 3 3m-6 0 2 2" />
  </Shape>
);
