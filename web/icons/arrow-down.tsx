import { Shape, type Icon } from './shape.tsx';

export const ArrowDownIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M12 5v14" />
    <path d="m19 12-7 7-7-7" />
  </Shape>
);
