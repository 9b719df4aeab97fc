/** The name and the version of an image; without a version an engine would pull every one there is. */
export function splitImage(image: string): { name: string; version: string } {
  const digest = image.indexOf('@');
  if (digest >= 0) return { name: image.slice(0, digest).replace(/:[^/:]*$/, ''), version: image.slice(digest + 1) };
  const colon = image.lastIndexOf(':');
  if (colon > image.lastIndexOf('/')) return { name: image.slice(0, colon), version: image.slice(colon + 1) };
  return { name: image, version: 'latest' };
}
