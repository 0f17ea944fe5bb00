import { MultiSelect } from '@mantine/core';

interface KnownChoicesProps {
  label: string;
  description: string;
  /** The known entries with their names. */
  names: Readonly<Record<string, string>>;
  list: readonly unknown[];
  change: (list: unknown[]) => void;
}

/** Chooses the known entries of a list, in an order. Other entries stay where they are. */
export function KnownChoices({ label, description, names, list, change }: KnownChoicesProps) {
  const isKnown = (entry: unknown): entry is string => typeof entry === 'string' && Object.hasOwn(names, entry);
  return (
    <MultiSelect
      searchable
      label={label}
      description={description}
      data={Object.entries(names).map(([value, name]) => ({ value, label: name }))}
      value={list.filter(isKnown)}
      onChange={(chosen) =>
        change([
          ...list.filter((entry) => !isKnown(entry) || chosen.includes(entry)),
          ...chosen.filter((entry) => !list.includes(entry)),
        ])
      }
    />
  );
}
