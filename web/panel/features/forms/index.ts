export { DownloadZip } from './download-zip.tsx';
export { FormTime } from './form-time.tsx';
export { FormViewer } from './form-viewer.tsx';
export { useDownloadForm } from './use-form-file.ts';
