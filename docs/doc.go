// Package docs is the documentation for users. Its tests run every command of its pages, make its
// pictures again and follow the links of all documents.
package docs
