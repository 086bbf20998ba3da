/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}
