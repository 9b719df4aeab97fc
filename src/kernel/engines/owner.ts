/** Label values that Kubernetes accepts; Docker accepts them too. */
const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Label of one owner of containers in a jar, for example `3f….jobs`. */
export const ownerLabel = (jarId: string, owner: string): string => checkOwner(`${jarId}.${owner}`);

export function checkOwner(owner: string): string {
  if (LABEL_VALUE.test(owner)) return owner;
  throw new Error(
    `'${owner}' cannot be the label of an owner of containers: at most 63 letters, digits, dots, hyphens and underscores`,
  );
}
