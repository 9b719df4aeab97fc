import { KeyRound } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'identity',
  title: 'Identity',
  group: 'services',
  service: 'identity',
  letter: 'y',
  icon: KeyRound,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
