import {
  type Icon,
  IconBook2,
  IconBuilding,
  IconBuildingFactory2,
  IconChecklist,
  IconClipboardList,
  IconDatabaseImport,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconListCheck,
  IconPencilCheck,
  IconReportAnalytics,
  IconRoute,
  IconShieldCheck,
  IconStack2,
  IconTags,
  IconUserOff,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { OperationName } from './operations/call';
import type { ShellText } from './shell/texts';

export interface Screen {
  /** The address below /console. */
  path: string;
  /** The key of its name in the texts of the shell. */
  name: ShellText;
  icon: Icon;
  /** The screen is offered to people who may call one of these; `operator`: to operators. */
  needs: readonly (OperationName | 'operator')[];
}

/** The screens of the console, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { path: '/items', name: 'bank', icon: IconBook2, needs: ['get itembank/items'] },
  { path: '/activities', name: 'activities', icon: IconClipboardList, needs: ['get itembank/activities'] },
  { path: '/pools', name: 'pools', icon: IconStack2, needs: ['get itembank/pools'] },
  { path: '/tags', name: 'tags', icon: IconTags, needs: ['get itembank/tagging/tags'] },
  { path: '/workflows', name: 'workflows', icon: IconRoute, needs: ['get itembank/workflows'] },
  { path: '/imports', name: 'imports', icon: IconDatabaseImport, needs: ['operator'] },
  { path: '/sessions', name: 'sessions', icon: IconListCheck, needs: ['get sessions/responses'] },
  { path: '/marking', name: 'marking', icon: IconPencilCheck, needs: ['get sessions/marking/rounds'] },
  { path: '/rescoring', name: 'rescoring', icon: IconChecklist, needs: ['update sessions/item'] },
  { path: '/reports', name: 'reports', icon: IconReportAnalytics, needs: ['set jobs/reports/datasets'] },
  { path: '/jobs', name: 'jobs', icon: IconBuildingFactory2, needs: ['get jobs'] },
  { path: '/audit', name: 'audit', icon: IconHistory, needs: ['get itembank/audit'] },
  { path: '/people', name: 'people', icon: IconUsers, needs: ['operator'] },
  { path: '/consumers', name: 'consumers', icon: IconKey, needs: ['operator'] },
  { path: '/organisations', name: 'organisations', icon: IconBuilding, needs: ['operator'] },
  { path: '/events', name: 'events', icon: IconWebhook, needs: ['operator'] },
  { path: '/learners', name: 'learners', icon: IconUserOff, needs: ['operator'] },
  { path: '/health', name: 'health', icon: IconHeartbeat, needs: ['operator'] },
  { path: '/verification', name: 'verification', icon: IconShieldCheck, needs: ['operator'] },
];
