import { addressOf } from '../../shared/address.ts';
import type { Palette } from '../../shared/page.ts';

export const palette: Palette = {
  actions: [
    { title: 'Detect a language', kind: 'Translator', address: addressOf('translator') },
    { title: 'Keys of the translator', kind: 'Translator', address: addressOf('translator', 'keys') },
  ],
};
