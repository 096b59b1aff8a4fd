import { Shape, type Icon } from './shape.tsx';

export const ArrowLeftIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m12 19-7-7 7-7" />
    <path d="M19 12H5" />
  </Shape>
);
