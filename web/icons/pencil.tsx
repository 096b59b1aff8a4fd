import { Shape, type Icon } from './shape.tsx';

export const PencilIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4Z M14.5 5.5l4 4" />
  </Shape>
);
