import { hasDatabaseImage, makeDatabaseImage, updateProgram } from "./program.mjs";

/*
 * npm runs this after it has installed the packages of a clone: the first start then finds the program and an empty
 * database, which takes longer to make than all else. What fails here is made by `npm start` or by the first start.
 */
await updateProgram();
if (!hasDatabaseImage()) makeDatabaseImage();
