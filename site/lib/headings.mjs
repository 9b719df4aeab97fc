/**
 * The anchor of a heading as GitHub makes it, so that a link to a heading works in the repository and on the site.
 * @param {string} heading
 */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
