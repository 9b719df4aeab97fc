declare global {
  interface JSON {
    /** Marks text that `stringify` writes unchanged. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** Formats a number with a decimal point even if it is an integer (`1.0`), as services with a decimal type do. Only for responses. */
export const decimal = (value: number): number | { readonly rawJSON: string } =>
  Number.isInteger(value) ? JSON.rawJSON(value.toFixed(1)) : value;
