/** Converts `sdkName` to `sdk_name`: the service uses both styles. */
export const underscored = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
