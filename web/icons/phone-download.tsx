import { Shape, type Icon } from './shape.tsx';

export const PhoneDownloadIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M12 15V3M7 10l5 5 5-5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4" />
  </Shape>
);
