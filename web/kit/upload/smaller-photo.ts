/** The longer side of a photo that is sent: a card stays readable, and a weak network carries it. */
const longestSide = 2_200;

/** A photo as a JPEG of a sensible size, upright; as it is where this phone cannot read it. */
export async function smallerPhoto(picture: Blob): Promise<Blob> {
  const decoded = await createImageBitmap(picture).catch(() => null);
  if (!decoded) return picture;
  const { width, height } = decoded;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  if (scale === 1 && picture.size < 1_000_000 && picture.type === 'image/jpeg') return picture;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(decoded, 0, 0, canvas.width, canvas.height);
  decoded.close();
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88));
  return made ?? picture;
}
