import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTagTexts } from './texts';

/** Leads to the items that carry a tag. */
export function ItemsLink({ type, name }: { type: string; name: string }) {
  const t = useTagTexts();
  return (
    <Anchor
      component={Link}
      to="/items"
      search={{ tags: `${type}:${name}` } as never}
      size="sm"
      aria-label={t('items_with', `${type}: ${name}`)}
    >
      {t('items')}
    </Anchor>
  );
}
