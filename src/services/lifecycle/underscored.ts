/** `sdk_name` for `sdkName`: the names of the service come in both styles. */
export const underscored = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
