import { Shape, type Icon } from './shape.tsx';

export const SearchIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m21 21-4.34-4.34" />
    <circle cx="11" cy="11" r="8" />
  </Shape>
);
