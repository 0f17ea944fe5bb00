/** The content of `/metrics`. */
export interface Scrape {
  /** The type of each metric: `counter`, `gauge`, `histogram`. */
  types: Map<string, string>;
  samples: Sample[];
  /** The value of the sample with these labels; 0 for none. */
  value(name: string, labels?: Record<string, string>): number;
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${text}`);
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (typed !== undefined) types.set(typed, type!);
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key!, text!]);
    samples.push({ name: name!, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) });
  }
  const value = (name: string, wanted: Record<string, string> = {}) => {
    const found = samples.filter(
      (sample) => sample.name === name && Object.entries(wanted).every(([key, text]) => sample.labels[key] === text),
    );
    if (found.length > 1) throw new Error(`${found.length} samples are ${name} ${JSON.stringify(wanted)}.`);
    return found[0]?.value ?? 0;
  };
  return { types, samples, value };
}
