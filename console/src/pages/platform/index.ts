import { Workflow } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'platform',
  title: 'Data platform',
  group: 'services',
  service: 'platform',
  letter: 'p',
  icon: Workflow,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
