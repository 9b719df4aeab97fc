/** Splits an image into name and version. The version defaults to `latest`, because without one an engine would pull all of them. */
export function splitImage(image: string): { name: string; version: string } {
  const digest = image.indexOf('@');
  if (digest >= 0) return { name: image.slice(0, digest).replace(/:[^/:]*$/, ''), version: image.slice(digest + 1) };
  const colon = image.lastIndexOf(':');
  if (colon > image.lastIndexOf('/')) return { name: image.slice(0, colon), version: image.slice(colon + 1) };
  return { name: image, version: 'latest' };
}
