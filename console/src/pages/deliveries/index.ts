import { Send } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'deliveries',
  title: 'Deliveries',
  group: 'jar',
  letter: 'd',
  icon: Send,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
