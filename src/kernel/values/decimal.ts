declare global {
  interface JSON {
    /** What `stringify` writes as it is. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** A number that is written with a decimal point even when it is whole (`1.0`), as services do that have another type for it. Only for answers. */
export const decimal = (value: number): number | { readonly rawJSON: string } =>
  Number.isInteger(value) ? JSON.rawJSON(value.toFixed(1)) : value;
