import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { numberOf } from '../../texts/texts';
import { useTagTexts } from './texts';

interface ItemsLinkProps {
  type: string;
  name: string;
  /** How many there are, if that is known. */
  count?: number;
}

/** Leads to the items that carry a tag. */
export function ItemsLink({ type, name, count }: ItemsLinkProps) {
  const t = useTagTexts();
  return (
    <Anchor
      component={Link}
      to="/items"
      search={{ tags: `${type}:${name}` } as never}
      size="sm"
      aria-label={
        count === undefined
          ? t('items_with', `${type}: ${name}`)
          : t('items_n_with', numberOf(count), `${type}: ${name}`)
      }
    >
      {count === undefined ? t('items') : t('items_n', numberOf(count))}
    </Anchor>
  );
}
