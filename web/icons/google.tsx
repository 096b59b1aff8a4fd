import { Shape, type Icon } from './shape.tsx';

export const GoogleIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M20 12h-8m8 0a8 8 0 1 1-2.5-5.8" />
  </Shape>
);
