import { Shape, type Icon } from './shape.tsx';

export const EngageIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m3 11 15-5v12L3 14z" />
    <path d="M11.6 16.8a3 3 0 1 1-5.8-1.6" />
    <path d="M21 10v4" />
  </Shape>
);
