import { Container } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'containers',
  title: 'Container groups',
  group: 'services',
  service: 'containers',
  letter: 'c',
  icon: Container,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
