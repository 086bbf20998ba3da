/** Something that runs until it is closed. */
export interface RunningService {
  close(): Promise<void>;
}
