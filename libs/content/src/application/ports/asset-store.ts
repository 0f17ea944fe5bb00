/** Stores the records of assets: who requested upload addresses, and for which items. */
export abstract class AssetStore {
  /**
   * Records each asset with the content type of its newest upload address, and with the items that use it. Known assets
   * keep their ids. Subkeys must be unique, and so must references. Call it inside a unit of work.
   */
  abstract put(
    organisation: number,
    assets: readonly { subkey: string; contentType: string }[],
    itemReferences: readonly string[],
    now: number,
  ): Promise<void>;
}
