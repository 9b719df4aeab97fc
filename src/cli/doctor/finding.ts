/** Result of one check. `fix` says what to do; it is set if and only if something is wrong. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

export const fine = (check: string, detail: string): Finding => ({ check, ok: true, detail });
export const wrong = (check: string, detail: string, fix: string): Finding => ({ check, ok: false, detail, fix });
