import { Shape, type Icon } from './shape.tsx';

export const PaperIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6M16 13H8M16 17H8" />
  </Shape>
);
