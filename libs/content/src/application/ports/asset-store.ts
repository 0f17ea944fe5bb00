/** Stores the records of assets: who requested upload addresses, and for which items. */
export abstract class AssetStore {
  /**
   * Records the assets with the types in their newest addresses, and adds the items as users of each of them. Known
   * assets keep their ids. Subkeys must be unique, and so must references. Call it inside a unit of work.
   */
  abstract put(
    organisation: number,
    assets: readonly { subkey: string; contentType: string }[],
    itemReferences: readonly string[],
    now: number,
  ): Promise<void>;
}
