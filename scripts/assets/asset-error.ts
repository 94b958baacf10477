/** An asset could not be had; the message is for whoever runs the command. */
export class AssetError extends Error {
  override readonly name = 'AssetError';
}
