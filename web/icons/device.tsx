import { Shape, type Icon } from './shape.tsx';

export const DeviceIcon: Icon = (props) => (
  <Shape {...props}>
    <rect x="3" y="4" width="18" height="12" rx="2" />
    <path d="M8 20h8m-4-4v4" />
  </Shape>
);
