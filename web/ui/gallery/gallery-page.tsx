export function GalleryPage() {
  return <main id="main" />;
}
