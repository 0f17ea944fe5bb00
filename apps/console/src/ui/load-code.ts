import { callerNow } from '../operations/http';

/** Style sheets that could not be loaded. Vite asks for each only once. */
const missing: string[] = [];

/** Loads code. Without the service, the error says so. Otherwise the page is older than the service. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    const code = await load();
    for (const href of missing.splice(0))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
    return code;
  } catch (error) {
    missing.push(...String(error).split('CSS for ').slice(1));
    await callerNow();
    throw error;
  }
}
