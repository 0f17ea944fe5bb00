import { callerNow } from '../operations/http';

/** Loads code. Without the service, the error says so. Otherwise the page is older than the service. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    await callerNow();
    throw error;
  }
}
