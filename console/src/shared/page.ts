import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

/** A page of the console. Its view is loaded when somebody goes there. */
export interface Page {
  /** First segment of its addresses: `deliveries`. */
  readonly path: string;
  readonly title: string;
  /** `jar` is what every jar has; the others are services. */
  readonly group: 'jar' | 'services' | 'tools';
  /** The name of the service whose page it is, so that it is hidden in jars without the service. */
  readonly service?: string;
  /** `g` and this letter go there. */
  readonly letter?: string;
  readonly icon: LucideIcon;
  readonly view: () => Promise<{ readonly default: ComponentType }>;
  /** What the command palette finds: things of this page, and actions. Loaded with the first search. */
  readonly palette?: () => Promise<{ readonly palette: Palette }>;
}

export interface Palette {
  /** Actions that are always offered: `Make an inbox`. */
  readonly actions?: readonly PaletteEntry[];
  /** Searches the things of the page by a text; returns at most a handful. */
  readonly search?: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;
}

export interface PaletteEntry {
  readonly title: string;
  /** What it is: `Delivery`, `User`, `Action`. */
  readonly kind: string;
  /** Where it goes, as made by `addressOf`. */
  readonly address: string;
}

/** Declares a page, so that its members are checked where it is written. */
export const definePage = (page: Page): Page => page;
