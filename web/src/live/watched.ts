// The event that this page watches, where it is served live.
import type { Store } from "./store";

export const watched: { store: Store | null } = { store: null };
