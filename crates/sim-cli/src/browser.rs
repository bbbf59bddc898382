//! Pages in the user's browser.

use crate::reporter::Reporter;
use std::path::Path;

/// Shows a page, without waiting for the browser to close. A machine without one gets a warning with the page's path.
pub fn show(page: &Path, reporter: &Reporter) {
    match open::that_detached(page) {
        Ok(()) => reporter.progress(&format!("{} is open in the browser", page.display())),
        Err(error) => {
            reporter.warning("browser", &format!("no browser shows {}: {error}; open it by hand", page.display()));
        }
    }
}
