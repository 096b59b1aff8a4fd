import { Shape, type Icon } from './shape.tsx';

export const UploadIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4" />
    <path d="m17 8-5-5-5 5" />
    <path d="M12 3v12" />
  </Shape>
);
