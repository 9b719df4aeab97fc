import { Languages } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'translator',
  title: 'Translator',
  group: 'services',
  service: 'translator',
  icon: Languages,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
